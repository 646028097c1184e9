/** A kind of app. The settings of its client depend on it. */
export interface ClientKind {
  readonly id: 'web-app' | 'single-page-app' | 'native' | 'machine' | 'api' | 'software';
  readonly title: string;
  /** True if users are redirected to a URL of the app. */
  readonly redirects: boolean;
  /** True if it cannot hold a secret (RFC 6749 §2.1). */
  readonly isPublic: boolean;
  /** The suggested URL of the app. */
  readonly url?: string;
}

export const CLIENT_KINDS: readonly ClientKind[] = [
  {
    id: 'web-app',
    title: 'Web app: pages come from a server',
    redirects: true,
    isPublic: false,
    url: 'http://localhost:3000',
  },
  {
    id: 'single-page-app',
    title: 'Single-page app: runs in the browser',
    redirects: true,
    isPublic: true,
    url: 'http://localhost:3000',
  },
  { id: 'native', title: 'Native app or CLI', redirects: true, isPublic: true },
  { id: 'machine', title: 'Machine to machine: a service without users', redirects: false, isPublic: false },
  { id: 'api', title: 'API: checks access tokens', redirects: false, isPublic: false },
  {
    id: 'software',
    title: 'Ready-made software, such as Grafana',
    redirects: true,
    isPublic: false,
    url: 'http://localhost:3000',
  },
];
