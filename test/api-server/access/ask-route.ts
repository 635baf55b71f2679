import type { Answer, TestServer } from '../../harness/http.ts';
import type { Rule } from './rules.ts';

/** Asks a route, as its rule says. @param route as `METHOD /path`. */
export function askRoute(
  server: TestServer,
  route: string,
  rule: Rule,
  credentials: Record<string, string>,
): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const isPatch = method === 'PATCH' ? { 'content-type': 'application/json-patch+json' } : {};
  const headers = { ...isPatch, ...rule.headers, ...credentials };
  return server.send(method as 'GET', rule.url ?? path, { headers, ...('body' in rule ? { body: rule.body } : {}) });
}
