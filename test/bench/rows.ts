import type { ChildProcess } from 'node:child_process';
import { ALICE, CC, EXCHANGE, WEB } from './bench-realm.js';
import type { GrpcPlan } from './grpc-load.js';
import type { LoadPlan } from './load.js';

/** Messages of one streaming call. */
export const STREAM = 500;

export interface Server {
  readonly url: string;
  /** `host:port` of its gRPC server. */
  readonly grpc: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** CPU until it was ready, in milliseconds. */
  readonly startCpu: number;
}

export interface Target {
  readonly server: Server;
  plan(): Promise<Omit<LoadPlan, 'connections' | 'seconds' | 'warmup' | 'pid'>>;
}

export interface Servers {
  readonly keyhost: Server;
  /** Keyhost with its plugins in workers. */
  readonly isolated: Server;
  readonly ceiling: Server;
  readonly opRs: Server;
  readonly opEs: Server;
  readonly opOpaque: Server;
  readonly bareGrpc: Server;
}

export interface Row {
  readonly name: string;
  readonly goal: number;
  readonly peer: string;
  readonly ours: Target;
  readonly theirs: Target;
}

async function post(url: string, form: Record<string, string>): Promise<Record<string, string>> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

/** Every row of the bench: the design's speed goals. */
export function rows({ keyhost, isolated, ceiling, opRs, opEs, opOpaque, bareGrpc }: Servers): Row[] {
  const oidc = (name: string) => `${keyhost.url}/realms/${name}/protocol/openid-connect`;
  const fixed = (
    server: Server,
    plan: { url: string; form?: Record<string, string>; json?: object; follow?: string },
  ): Target => ({ server, plan: async () => plan });
  const cc = (name: string) => fixed(keyhost, { url: `${oidc(name)}/token`, form: CC });
  const ourRefresh = (name: string): Target => ({
    server: keyhost,
    async plan() {
      const login = { ...WEB, grant_type: 'password', username: 'alice', password: 'alice', scope: 'openid' };
      const chains = await Promise.all(Array.from({ length: 16 }, () => post(`${oidc(name)}/token`, login)));
      return {
        url: `${oidc(name)}/token`,
        form: { ...WEB, grant_type: 'refresh_token' },
        chains: chains.map((answer) => answer.refresh_token ?? ''),
      };
    },
  });
  const theirRefresh = (server: Server): Target => ({
    server,
    async plan() {
      const chains = await Promise.all(
        Array.from({ length: 16 }, async () => (await fetch(`${server.url}/seed`)).text()),
      );
      return { url: `${server.url}/token`, form: { ...WEB, grant_type: 'refresh_token' }, chains };
    },
  });
  const introspect = (server: Server, token: string, url: string): Target => ({
    server,
    plan: async () => ({
      url,
      form: {
        ...WEB,
        client_id: 'cc',
        client_secret: CC.client_secret,
        token: (await post(token, CC)).access_token ?? '',
      },
    }),
  });
  const link = (server: Server) =>
    fixed(server, {
      url: `${server.url}/realms/rs/newsletter/generate-token`,
      json: { userId: ALICE, applicationId: '42' },
      follow: 'link',
    });
  const discovery = '/.well-known/openid-configuration';
  return [
    {
      name: 'client_credentials RS256',
      goal: 1.2,
      peer: 'ceiling',
      ours: cc('rs'),
      theirs: fixed(ceiling, { url: `${ceiling.url}/RS256`, form: CC }),
    },
    {
      name: 'client_credentials ES256',
      goal: 1.35,
      peer: 'ceiling',
      ours: cc('es'),
      theirs: fixed(ceiling, { url: `${ceiling.url}/ES256`, form: CC }),
    },
    {
      name: 'client_credentials ES256, events on',
      goal: 1.35,
      peer: 'ceiling',
      ours: cc('events'),
      theirs: fixed(ceiling, { url: `${ceiling.url}/ES256`, form: CC }),
    },
    { name: 'refresh RS256', goal: 0.75, peer: 'oidc-provider', ours: ourRefresh('rs'), theirs: theirRefresh(opRs) },
    { name: 'refresh ES256', goal: 0.5, peer: 'oidc-provider', ours: ourRefresh('es'), theirs: theirRefresh(opEs) },
    {
      name: 'introspection',
      goal: 0.55,
      peer: 'oidc-provider',
      ours: introspect(keyhost, `${oidc('rs')}/token`, `${oidc('rs')}/token/introspect`),
      theirs: introspect(opOpaque, `${opOpaque.url}/token`, `${opOpaque.url}/token/introspection`),
    },
    {
      name: 'discovery',
      goal: 0.5,
      peer: 'oidc-provider',
      ours: fixed(keyhost, { url: `${keyhost.url}/realms/rs${discovery}` }),
      theirs: fixed(opRs, { url: `${opRs.url}${discovery}` }),
    },
    {
      name: 'JWKS',
      goal: 0.5,
      peer: 'oidc-provider',
      ours: fixed(keyhost, { url: `${oidc('rs')}/certs` }),
      theirs: fixed(opRs, { url: `${opRs.url}/jwks` }),
    },
    {
      name: 'token exchange',
      goal: 1.3,
      peer: 'own client_credentials',
      ours: fixed(keyhost, { url: `${oidc('rs')}/token`, form: EXCHANGE }),
      theirs: cc('rs'),
    },
    {
      name: 'action token: generate and follow',
      goal: 1.3,
      peer: 'own client_credentials',
      ours: link(keyhost),
      theirs: cc('rs'),
    },
    {
      name: 'in workers: action token',
      goal: 2,
      peer: 'the same in process',
      ours: link(isolated),
      theirs: link(keyhost),
    },
    {
      name: 'code flow: login to tokens',
      goal: 0.4,
      peer: 'oidc-provider',
      ours: codeTarget(keyhost, `${oidc('rs')}/auth`, `${oidc('rs')}/token`),
      theirs: codeTarget(opRs, `${opRs.url}/auth`, `${opRs.url}/token`),
    },
    ...grpcRows(keyhost, bareGrpc),
    ...isolatedRows(isolated, keyhost),
  ];
}

function codeTarget(server: Server, authorize: string, token: string): Target {
  const redirectUri = 'http://127.0.0.1/cb';
  const query = {
    client_id: 'web',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 's',
    nonce: 'n',
  };
  const login = { username: 'alice', password: 'alice' };
  const code = { authorize: `${authorize}?${new URLSearchParams(query)}`, redirectUri, login, token, client: WEB };
  return { server, plan: async () => ({ url: '', code }) };
}

function grpcTarget(server: Server, plan: Omit<GrpcPlan, 'address'>, units: number): Target {
  return { server, plan: async () => ({ url: '', grpc: { ...plan, address: server.grpc }, units }) };
}

const UNARY = { method: 'getAuthor', request: { author_id: 1 }, times: 1, answers: 1 };
const DOWN = { method: 'getBooksByAuthor', request: { author_id: 1 }, times: 1, answers: STREAM };

/** What isolation costs: the same calls with the plugin in a worker and in the process. */
function isolatedRows(isolated: Server, keyhost: Server): Row[] {
  const peer = 'the same in process';
  const targets = (plan: Omit<GrpcPlan, 'address'>, units: number) => ({
    ours: grpcTarget(isolated, plan, units),
    theirs: grpcTarget(keyhost, plan, units),
  });
  return [
    { name: 'in workers: gRPC unary', goal: 3, peer, ...targets(UNARY, 1) },
    { name: 'in workers: gRPC server stream, per message', goal: 4, peer, ...targets(DOWN, STREAM) },
  ];
}

function grpcRows(keyhost: Server, bare: Server): Row[] {
  const row = (name: string, goal: number, plan: Omit<GrpcPlan, 'address'>, units: number): Row => {
    const targets = { ours: grpcTarget(keyhost, plan, units), theirs: grpcTarget(bare, plan, units) };
    return { name, goal, peer: 'bare grpc-js', ...targets };
  };
  const book = { price: 9.99, title: 'A Tale', author_id: 2 };
  return [
    row('gRPC unary', 1.35, UNARY, 1),
    row('gRPC server stream, per message', 1.3, DOWN, STREAM),
    row(
      'gRPC client stream, per message',
      1.3,
      { method: 'getExpensiveBook', request: book, times: STREAM, answers: 1 },
      STREAM,
    ),
    row(
      'gRPC both ways, per message',
      1.3,
      { method: 'getBooksByGender', request: book, times: STREAM / 10, answers: STREAM },
      STREAM * 1.1,
    ),
  ];
}
