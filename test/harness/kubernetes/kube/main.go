// One program with the parts of a Kubernetes control plane that the tests need, chosen by its first argument. It is
// built from Go modules, because those are what an ordinary machine can always fetch.
package main

import (
	"fmt"
	"os"
	_ "time/tzdata"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	if len(os.Args) < 2 {
		fail("usage: kube etcd|apiserver|controller-manager|kubectl [arguments]")
	}
	part := os.Args[1]
	os.Args = append([]string{part}, os.Args[2:]...)
	var command *cobra.Command
	switch part {
	case "etcd":
		etcdmain.Main(os.Args)
		return
	case "apiserver":
		command = apiserver.NewAPIServerCommand()
	case "controller-manager":
		command = controllers.NewControllerManagerCommand()
	case "kubectl":
		command = kubectl.NewDefaultKubectlCommand()
	default:
		fail("kube: no part is named " + part)
	}
	os.Exit(cli.Run(command))
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(2)
}
