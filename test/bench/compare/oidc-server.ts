import { existsSync } from 'node:fs';

/** A server that the command names. */
export interface NamedServer {
  readonly name: string;
  /** Its issuer. */
  readonly url: string;
  readonly client?: Login | undefined;
  readonly user?: Login | undefined;
  /** Its processes, and those of its database where they shall be counted. */
  readonly pids: readonly number[];
}

export interface Login {
  readonly name: string;
  readonly password: string;
}

/** One that has told where its endpoints are. */
export interface OidcServer extends NamedServer {
  readonly wellKnown: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A server that the command names and that cannot be compared with. */
export class NoOidcServer extends Error {
  constructor({ name, url }: NamedServer, reason: string) {
    super(`--compare ${name}=${url}: ${reason}`);
  }
}

const SUFFIX = '/.well-known/openid-configuration';
const PATIENCE_MS = 10_000;

/**
 * Reads the server's metadata (OpenID Connect Discovery 1.0 §4).
 * @throws NoOidcServer when there are none, or another's
 */
export async function discover(named: NamedServer): Promise<OidcServer> {
  const gone = named.pids.find((pid) => !existsSync(`/proc/${pid}`));
  if (gone !== undefined) throw new NoOidcServer(named, `there is no process ${gone}`);
  const issuer = named.url.replace(SUFFIX, '').replace(/\/$/, '');
  const wellKnown = `${issuer}${SUFFIX}`;
  const metadata = await readMetadata(named, wellKnown);
  // Discovery §4.3: what another issuer says is not for this one.
  if (String(metadata.issuer).replace(/\/$/, '') !== issuer) {
    throw new NoOidcServer(named, `${wellKnown} tells the issuer ${metadata.issuer}: name the server by that address`);
  }
  return { ...named, wellKnown, metadata };
}

async function readMetadata(named: NamedServer, wellKnown: string): Promise<Record<string, unknown>> {
  let answer: Response;
  try {
    answer = await fetch(wellKnown, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    throw new NoOidcServer(named, `nothing answers there (${cause?.code ?? cause?.message ?? message})`);
  }
  const text = await answer.text();
  if (!answer.ok) throw new NoOidcServer(named, `no OIDC server: ${wellKnown} answered ${answer.status}`);
  try {
    const metadata = JSON.parse(text) as Record<string, unknown> | null;
    if (typeof metadata?.issuer === 'string' && typeof metadata.jwks_uri === 'string') return metadata;
  } catch {
    // What is no JSON is no metadata either.
  }
  throw new NoOidcServer(named, `no OIDC server: ${wellKnown} is not the metadata of one`);
}
