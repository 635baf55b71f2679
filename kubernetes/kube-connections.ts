import type { AgentOptions, RequestOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import { type DispatcherOptions, type KubeConfig, RequestContext } from '@kubernetes/client-node';
import { Agent, type Dispatcher } from 'undici';

type Headers = Record<string, string>;

/** What a request needs to be let in. */
export interface KubeAccess {
  /** `Authorization` and `Impersonate-User`, as far as needed. */
  readonly headers: Headers;
  readonly dispatcher: Dispatcher;
}

/** Credentials for each request, and connections that are kept while the TLS settings stay as they are. */
export class KubeConnections {
  readonly #config: KubeConfig;
  #settings: DispatcherOptions | undefined;
  #dispatcher: Dispatcher | undefined;

  constructor(config: KubeConfig) {
    this.#config = config;
  }

  /** @throws whatever a plugin, or the reading of a file, throws. */
  async authenticate(): Promise<KubeAccess> {
    const options: RequestOptions & AgentOptions = {};
    await this.#config.applyToHTTPSOptions(options);
    const settings = this.#config.createDispatcherOptions(this.#config.getCurrentCluster(), options);
    if (this.#dispatcher === undefined || !isDeepStrictEqual(settings, this.#settings)) {
      const dispatcher = await this.#create();
      this.#dispatcher?.close().catch(() => undefined);
      this.#dispatcher = dispatcher;
      this.#settings = settings;
    }
    const basic = options.auth ? { Authorization: `Basic ${Buffer.from(options.auth).toString('base64')}` } : {};
    return { headers: { ...(options.headers as Headers | undefined), ...basic }, dispatcher: this.#dispatcher };
  }

  async #create(): Promise<Dispatcher> {
    const context = new RequestContext(String(this.#config.getCurrentCluster()?.server), 'GET');
    await this.#config.applySecurityAuthentication(context);
    return (context.getDispatcher() ?? new Agent()).compose(patientHttp1);
  }
}

/** How long an answer may take is watched here, not in the library, whose limits would cut quiet watches. */
const patientHttp1: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0, ...{ allowH2: false } }, handler);
