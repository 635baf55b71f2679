import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

/** Groups of routes in the order in which people read them. */
const TAGS = [
  { name: 'Definitions', description: 'Structured properties: what they are and whether they are soft deleted' },
  { name: 'Properties on entities', description: 'Values of structured properties' },
  { name: 'Entities', description: 'Any entity and any of its aspects, one by one, in batches, and by search' },
  { name: 'GraphQL', description: 'Search with filters, aggregations, definitions and values' },
  { name: 'Resources', description: 'What operators report, what belongs to which resource, and which operator leads' },
  { name: 'Access', description: 'Users, groups, policies, the audit log, and who asks' },
  { name: 'Operations', description: 'Health, metrics, this document' },
];

const PAGE = '/openapi/ui';

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="150" height="34" viewBox="0 0 150 34">
<path d="M4 24 18 6l14 18H22l-4-6-4 6z" fill="#5ec8a8"/>
<text x="40" y="24" font-family="system-ui, sans-serif" font-size="20" font-weight="600" fill="#fff">Proplane</text></svg>`;

const TOKEN = 'An access token; needed where METADATA_SERVICE_AUTH_ENABLED is true. See docs/access.md.';

/** Colours of a picture that the page's own files hold. */
const STYLE_OF_LOGO = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";

/** The page is made of files of its own and asks its own server; images come with them, in their text. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${STYLE_OF_LOGO}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Collects the OpenAPI document from the schemas of the routes that follow, and serves a page to browse it. */
export async function describeApi(server: FastifyInstance, version: string): Promise<void> {
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith(PAGE)) route.config = { ...route.config, open: true };
  });
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Proplane', description: 'Typed, versioned metadata for data assets', version },
      tags: TAGS,
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: TOKEN } } },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  await server.register(swaggerUi, {
    routePrefix: PAGE,
    staticCSP: POLICY,
    logo: { type: 'image/svg+xml', content: LOGO, href: PAGE },
    theme: { title: 'Proplane API' },
    uiConfig: { docExpansion: 'list', defaultModelsExpandDepth: 0 },
  });
}
