import { existsSync } from 'node:fs';

/** A server from the command line. */
export interface NamedServer {
  readonly name: string;
  /** Its issuer. */
  readonly url: string;
  readonly client?: Login | undefined;
  readonly user?: Login | undefined;
  /** Its processes, with those of its database if they count. */
  readonly pids: readonly number[];
}

export interface Login {
  readonly name: string;
  readonly password: string;
}

/** A server with its metadata. */
export interface OidcServer extends NamedServer {
  readonly wellKnown: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A server from the command line that cannot be compared with. */
export class NoOidcServer extends Error {
  constructor({ name, url }: NamedServer, reason: string) {
    super(`--compare ${name}=${url}: ${reason}`);
  }
}

const SUFFIX = '/.well-known/openid-configuration';
const PATIENCE_MS = 10_000;

/**
 * Reads the server's metadata (OpenID Connect Discovery 1.0 §4).
 * @throws NoOidcServer if there are none, or they are another server's
 */
export async function discover(named: NamedServer): Promise<OidcServer> {
  const gone = named.pids.find((pid) => !existsSync(`/proc/${pid}`));
  if (gone !== undefined) throw new NoOidcServer(named, `there is no process ${gone}`);
  const issuer = named.url.replace(SUFFIX, '').replace(/\/$/, '');
  const wellKnown = `${issuer}${SUFFIX}`;
  const metadata = await readMetadata(named, wellKnown);
  // Discovery §4.3: the metadata of another issuer must not be used.
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
    // An answer that is not JSON is no metadata either.
  }
  throw new NoOidcServer(named, `no OIDC server: ${wellKnown} is not the metadata of one`);
}
