import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { parseAuditSearch } from './access/audit/audit-search.ts';
import { parseLoginSearch } from './access/login/login-search.ts';
import { parseUsersSearch } from './access/users/users-search.ts';
import { readDatasetSearch } from './datasets/dataset-search.ts';
import { Loading } from './parts/loading.tsx';
import { readPropertiesSearch } from './properties/properties-search.ts';
import { readResourcesSearch } from './resources/resources-search.ts';
import { FailedPage } from './shell/failed-page.tsx';
import { SignedIn } from './shell/signed-in.tsx';
import { UnknownPage } from './shell/unknown-page.tsx';

/** All pages. Each is a script of its own, which is loaded when the page is opened. */

const root = createRootRoute({ component: Outlet });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: parseLoginSearch,
  component: lazyRouteComponent(() => import('./access/login/login-page.tsx'), 'LoginPage'),
});

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn });

const getParentRoute = () => signedIn;

const pages = [
  createRoute({
    getParentRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./shell/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/properties',
    validateSearch: readPropertiesSearch,
    component: lazyRouteComponent(() => import('./properties/properties-page.tsx'), 'PropertiesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/properties/$name',
    component: lazyRouteComponent(() => import('./properties/property-page.tsx'), 'PropertyPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/datasets',
    validateSearch: readDatasetSearch,
    component: lazyRouteComponent(() => import('./datasets/datasets-page.tsx'), 'DatasetsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/datasets/$urn',
    component: lazyRouteComponent(() => import('./datasets/dataset-page.tsx'), 'DatasetPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/jobs',
    component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/resources',
    validateSearch: readResourcesSearch,
    component: lazyRouteComponent(() => import('./resources/resources-page.tsx'), 'ResourcesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/resources/$source/$kind/$namespace/$name',
    component: lazyRouteComponent(() => import('./resources/resource-page.tsx'), 'ResourcePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/tokens',
    component: lazyRouteComponent(() => import('./access/tokens/tokens-page.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/users',
    validateSearch: parseUsersSearch,
    component: lazyRouteComponent(() => import('./access/users/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/policies',
    component: lazyRouteComponent(() => import('./access/policies/policies-page.tsx'), 'PoliciesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/policies/$id',
    component: lazyRouteComponent(() => import('./access/policies/policy-page.tsx'), 'PolicyPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/new-policy',
    component: lazyRouteComponent(() => import('./access/policies/policy-page.tsx'), 'NewPolicyPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/audit',
    validateSearch: parseAuditSearch,
    component: lazyRouteComponent(() => import('./access/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/account',
    component: lazyRouteComponent(() => import('./access/account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({ getParentRoute, path: '$', component: UnknownPage }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([login, signedIn.addChildren(pages)]),
  defaultNotFoundComponent: UnknownPage,
  defaultErrorComponent: FailedPage,
  defaultPendingComponent: Loading,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
