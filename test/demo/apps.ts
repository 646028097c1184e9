import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import * as client from 'openid-client';
import { addressOf } from '../../core/commands/server/address.js';
import { parseOptions } from '../../core/config/options/options.js';

const HELP = `npm run apps -- [options]: two applications of the demo realm, to log in to with a browser

  --issuer URL   the realm (default: the realm demo of the server that runs in this folder)
  --port N       where the applications listen (default: 3010, which the realm's redirect URIs name)
  --help
`;

/** An application with its OpenID Connect settings, and its signed-in users. */
interface App {
  readonly id: 'web-app' | 'spa';
  /** As the realm calls it on its pages. */
  readonly name: string;
  readonly path: string;
  readonly config: client.Configuration;
  pending?: { verifier: string; state: string; nonce: string };
  login?: { claims: Record<string, unknown>; idToken: string };
}

const { values } = parseArgs({
  options: {
    issuer: { type: 'string' },
    port: { type: 'string', default: '3010' },
    help: { type: 'boolean', default: false },
  },
});
const origin = `http://localhost:${values.port}`;

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  // `npm start` may have replaced port 8080, if another program uses it.
  const server = await addressOf(parseOptions([], process.env, 'start-dev'));
  const issuer = new URL(values.issuer ?? `${server}/realms/demo`);
  const insecure = { execute: [client.allowInsecureRequests] };
  const secret = process.env.DEMO_WEB_APP_SECRET ?? 'web-app-secret';
  const apps: App[] = [
    {
      id: 'web-app',
      name: 'Bookshop',
      path: '/web-app',
      config: await client.discovery(issuer, 'web-app', secret, undefined, insecure),
    },
    {
      id: 'spa',
      name: 'Reading List',
      path: '/spa',
      config: await client.discovery(issuer, 'spa', undefined, client.None(), insecure),
    },
  ];
  const http = createServer((request, response) => {
    answer(apps, request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
  http.listen(Number(values.port), 'localhost');
  await once(http, 'listening');
  process.stdout.write(`Two applications at ${origin}/\n`);
}

async function answer(apps: readonly App[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', origin);
  const app = apps.find(({ path }) => url.pathname === path || url.pathname.startsWith(`${path}/`));
  if (app === undefined) {
    response.writeHead(url.pathname === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page(apps));
    return;
  }
  if (url.pathname === `${app.path}/logout`) {
    const idToken = app.login?.idToken ?? '';
    for (const other of apps) delete other.login;
    redirect(
      response,
      client.buildEndSessionUrl(app.config, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${origin}${app.path}`,
      }),
    );
    return;
  }
  if (url.searchParams.has('code') && app.pending !== undefined) {
    const { verifier, state, nonce } = app.pending;
    const tokens = await client.authorizationCodeGrant(app.config, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
    });
    app.login = { claims: { ...tokens.claims() }, idToken: tokens.id_token ?? '' };
    redirect(response, new URL('/', origin));
    return;
  }
  if (url.searchParams.has('error'))
    throw new Error(`${url.searchParams.get('error')}: ${url.searchParams.get('error_description')}`);
  if (!url.searchParams.has('login')) {
    redirect(response, new URL('/', origin));
    return;
  }
  app.pending = { verifier: client.randomPKCECodeVerifier(), state: client.randomState(), nonce: client.randomNonce() };
  redirect(
    response,
    client.buildAuthorizationUrl(app.config, {
      redirect_uri: `${origin}${app.path}`,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(app.pending.verifier),
      code_challenge_method: 'S256',
      state: app.pending.state,
      nonce: app.pending.nonce,
    }),
  );
}

function redirect(response: ServerResponse, to: URL): void {
  response.writeHead(302, { location: to.href });
  response.end();
}

function page(apps: readonly App[]): string {
  const rows = apps.map(({ id, name, path, login }) => {
    if (login === undefined)
      return `<h2>${name} (${id})</h2><p>Nobody is signed in. <a href="${path}?login">Sign in</a></p>`;
    const claims = JSON.stringify(login.claims, null, 2).replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
    return `<h2>${name} (${id})</h2><p>Signed in. <a href="${path}/logout">Sign out of both</a></p><pre>${claims}</pre>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Two applications</title><style>body{font:1rem/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}pre{overflow:auto}</style>
<h1>Two applications of the demo realm</h1>${rows.join('')}</html>`;
}

main().catch((error: unknown) => {
  const reason =
    error instanceof Error
      ? `${error.message} ${String((error.cause as Error | undefined)?.message ?? '')}`
      : String(error);
  const isPortUsed = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const hint = isPortUsed ? 'Stop the program that uses the port.' : 'Is Keyhost running? npm start';
  process.stderr.write(`apps: ${reason}\n${hint}\n`);
  process.exitCode = 1;
});
