import { ADMISSION_POLICIES } from '../../model/resource/admission-policy.ts';
import { API_GROUP, KUBERNETES_NAMES, type POLICED_KINDS, VERSION } from '../../model/resource/identity.ts';

/** The policy that checks what the CRD of a kind cannot, and its binding: it holds in every namespace. */
export function validatingAdmissionPolicy(kind: (typeof POLICED_KINDS)[number]): readonly object[] {
  const { plural } = KUBERNETES_NAMES[kind];
  const { variables, validations } = ADMISSION_POLICIES[kind];
  const name = `${plural}.${API_GROUP}`;
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            { apiGroups: [API_GROUP], apiVersions: [VERSION], operations: ['CREATE', 'UPDATE'], resources: [plural] },
          ],
        },
        // What was let in before stays deletable: to remove a finalizer is an update too.
        matchConditions: [{ name: 'spec-changes', expression: 'oldObject == null || object.spec != oldObject.spec' }],
        variables,
        validations: validations.map((rule) => ({ ...rule, reason: 'Invalid' })),
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}
