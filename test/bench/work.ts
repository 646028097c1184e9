import { CodeBrowser, type CodePlan } from './code-flow-load.js';
import { type GrpcPlan, grpcCaller } from './grpc-load.js';
import { HttpClient } from './http-client.js';

/** The work of a server. */
export interface Work {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The form to post; GET if undefined. `refresh_token` follows the rotation if `chains` are given. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** The first refresh token of each connection. At a fixed rate, as many as are used within the longest answer. */
  readonly chains?: readonly string[];
  /** A GET of this member of a JSON answer belongs to the same unit of work. */
  readonly follow?: string;
  /** A login instead of a request. */
  readonly code?: CodePlan;
  /** Calls instead of requests. */
  readonly grpc?: GrpcPlan;
  /** Units of work in one request or call; 1 by default. */
  readonly units?: number;
}

export interface Worker {
  /** Does one unit of work. @param index of the connection */
  once(index: number): Promise<unknown>;
  close(): void;
}

/** Sends the requests of the work. */
export function workerOf(work: Work & { readonly connections: number }): Worker {
  if (work.grpc !== undefined) {
    const { call, close } = grpcCaller(work.grpc);
    return { once: call, close };
  }
  const client = new HttpClient();
  const close = () => client.close();
  const { code } = work;
  if (code !== undefined) {
    const browsers = Array.from({ length: work.connections }, () => new CodeBrowser(client, code));
    return { once: async (index) => browsers[index]?.signIn(), close };
  }
  const chains = [...(work.chains ?? [])];
  const once = async (index: number) => {
    // At a fixed rate there may be more requests than chains: each takes the least recently used one.
    const at = chains.length === 0 ? index : index % chains.length;
    const chain = chains[at];
    const form = work.form && { ...work.form, ...(chain === undefined ? {} : { refresh_token: chain }) };
    const text = await client.ok(work.url, { form, json: work.json, headers: work.headers });
    if (chain !== undefined) chains[at] = (JSON.parse(text) as { refresh_token: string }).refresh_token;
    if (work.follow !== undefined) await client.ok((JSON.parse(text) as Record<string, string>)[work.follow] ?? '');
  };
  return { once, close };
}
