import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { createApp } from '../../core/http/app.js';
import type { Endpoint } from '../../core/http/exchange.js';
import { realmDispatch } from '../../core/http/realm-dispatch.js';
import { systemClock } from '../../core/model/clock.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { errorPages } from '../../core/pages/error-pages.js';
import { Pages } from '../../core/pages/pages.js';
import { loginResources } from '../../core/pages/resources/login-resources.js';
import { SessionFactory } from '../../core/registry/sessions/session-factory.js';
import { type Answer, fetchAnswer, type LogLine, startHost } from './host.js';
import { providersFolder } from './plugins.js';
import { testRealm } from './realms.js';
import { SAMPLE_PAGES, type SamplePage } from './sample-pages.js';

export interface PageApp {
  readonly url: string;
  readonly log: readonly LogLine[];
  address(name: string, query?: string, realm?: string): string;
  show(name: string, query?: string, headers?: Record<string, string>, realm?: string): Promise<Answer>;
}

/** An application made of the host's own parts that shows each sample page at `/realms/{realm}/show/{name}`. */
export async function startPageApp(
  t: Pick<ExecutionContext, 'teardown'>,
  options: {
    realms?: readonly RealmRepresentation[];
    samples?: Readonly<Record<string, SamplePage>>;
    /** Theme packages by name. */
    themes?: Readonly<Record<string, string>>;
    callTimeoutMs?: number;
    argv?: readonly string[];
  } = {},
): Promise<PageApp> {
  const themes = options.themes ?? {};
  const providers = ['--providers-dir', await providersFolder(t, themes)];
  const host = await startHost(t, {
    realms: options.realms ?? [testRealm('demo', { displayName: 'Demo & Söhne', providers: {} })],
    plugins: Object.keys(themes).map((module) => ({ module })),
    argv: [...providers, ...(options.argv ?? [])],
  });
  const log: LogLine[] = [];
  const write =
    (level: string) =>
    (message: string, fields: object = {}) =>
      void log.push({ level, message, fields });
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const { users, events, store, registry, realms } = host;
  const limit = options.callTimeoutMs === undefined ? {} : { callLimitMs: options.callTimeoutMs };
  const sessions = new SessionFactory({ users, events, store, clock: systemClock, logger, ...limit });
  const pages = new Pages({ sessions, baseUrl: () => host.publicUrl, production: false });
  const samples: Readonly<Record<string, SamplePage>> = { ...SAMPLE_PAGES, ...options.samples };
  const endpoints = Object.entries(samples).map(([name, { content, clientId = '', status = 200, extra }]): Endpoint => {
    const show: Endpoint['methods']['GET'] = (exchange) =>
      pages.show(exchange, status, content, { client: exchange.realm.clients.get(clientId), ...extra });
    return { path: `/show/${name}`, cors: 'none', methods: { GET: show, POST: show } };
  });
  const relativePath = new URL(host.url).pathname.replace(/\/$/, '');
  const app = createApp({
    relativePath,
    https: false,
    logger,
    registry,
    errorPage: errorPages({ pages, realms, proxyHeaders: 'xforwarded' }),
    middleware: [
      realmDispatch({
        realms,
        proxyHeaders: 'xforwarded',
        endpoints,
        mounts: [],
      }),
      loginResources(),
    ],
  });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${relativePath}`;
  const address = (name: string, query = '', realm = 'demo') => `${url}/realms/${realm}/show/${name}${query}`;
  return {
    url,
    log,
    address,
    show: (name, query, headers = {}, realm = 'demo') =>
      fetchAnswer(address(name, query, realm), { headers: { accept: 'text/html', ...headers } }),
  };
}
