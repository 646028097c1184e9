import { lookup } from 'node:dns/promises';
import { BootError } from '../../config/boot-error.js';
import type { HostOptions } from '../../config/options/options.js';
import type { ManagementAccess } from '../../host/management-access.js';
import { checkProductionOptions } from '../../host/production-checks.js';
import { MASTER_REALM } from '../../model/realm.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import { type Finding, findings } from './finding.js';

const { ok, warning, problem } = findings('hostname');
const WAIT_MS = 10_000;

/**
 * Checks that clients can reach the server by its public address, and that the proxy options are consistent and safe.
 */
export async function checkHostname(options: HostOptions, access: ManagementAccess | undefined): Promise<Finding[]> {
  const { hostname, httpsPort, proxyHeaders, httpHost, mode } = options;
  const found = missingOptions(options);
  if (proxyHeaders !== undefined && !/^(127\.|::1$|localhost$)/.test(httpHost)) {
    found.push(
      warning(
        `any program that reaches ${httpHost} can forge the headers of --proxy-headers`,
        'let only the proxy reach this port: a firewall, a private network, or --http-host 127.0.0.1',
      ),
    );
  }
  if (hostname === undefined) {
    if (mode === 'start-dev') found.push(ok('tokens contain the name in the request: localhost or 127.0.0.1'));
    return found;
  }
  const url = new URL(hostname);
  if (url.protocol === 'http:' && mode === 'start') {
    found.push(problem(`${hostname} is not https: passwords and tokens travel in plain text`, 'set up TLS'));
  }
  if (url.protocol === 'https:' && httpsPort === undefined && proxyHeaders === undefined) {
    found.push(
      problem(
        'the public URL is https, and the server sees only http requests',
        'set --proxy-headers to the headers of your proxy: xforwarded or forwarded',
      ),
    );
  }
  const name = url.hostname.replace(/^\[|]$/g, '');
  const failure = await lookup(name).then(
    () => undefined,
    (error: unknown) => codeOf(error) ?? messageOf(error),
  );
  if (failure !== undefined) {
    found.push(
      problem(`the name ${name} cannot be resolved (${failure})`, 'add it to your DNS, or correct --hostname'),
    );
    return found;
  }
  found.push(
    access === undefined ? ok(`${name} can be resolved; start the server to test it`) : await checkReachable(hostname),
  );
  return found;
}

/** Problems about the options that production requires and that are missing or invalid. */
function missingOptions(options: HostOptions): Finding[] {
  try {
    checkProductionOptions(options);
    return [];
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    return error.problems.map(({ file, message }) => problem(`${file} ${message}`, `set ${file}`));
  }
}

async function checkReachable(hostname: string): Promise<Finding> {
  const url = `${hostname}/realms/${MASTER_REALM}/.well-known/openid-configuration`;
  const fix = 'correct --hostname, the DNS or the proxy: it must forward the whole path to this server';
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS) });
    const { issuer } = (await response.json().catch(() => ({}))) as { issuer?: string };
    if (issuer === `${hostname}/realms/${MASTER_REALM}`) return ok(`${hostname} leads to this server`);
    return problem(`${url} answers ${response.status}${issuer === undefined ? '' : ` with the issuer ${issuer}`}`, fix);
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return problem(`${hostname} cannot be reached (${codeOf(cause) ?? messageOf(cause ?? error)})`, fix);
  }
}
