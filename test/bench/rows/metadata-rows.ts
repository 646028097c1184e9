import { times } from '../figure.js';
import { DISCOVERY, keyhost } from './keyhost-targets.js';
import type { Row, Target } from './row.js';

const PATHS = [`/realms/rs${DISCOVERY}`, '/realms/rs/protocol/openid-connect/certs'];
const [DISCOVERED = '', CERTS = ''] = PATHS;

/** The documents that every client reads first. */
export function metadataRows(): Row[] {
  const row = (name: string, path: string, theirPath: string): Row[] => {
    const at =
      (place: string): Target['work'] =>
      (server) => ({ url: `${server.url}${place}` });
    const ours: Target = { server: keyhost, work: at(path) };
    const bare: Target = { server: (servers) => servers.bareHttp(PATHS), work: at(path) };
    const provider: Target = { server: (servers) => servers.oidcProvider('RS256'), work: at(theirPath) };
    return [
      { name, goals: [times(1.1)], peer: 'bare node:http', ours, theirs: bare },
      { name: `${name}, against a product`, goals: [times(0.5)], peer: 'oidc-provider', ours, theirs: provider },
    ];
  };
  return [...row('discovery', DISCOVERED, DISCOVERY), ...row('JWKS', CERTS, '/jwks')];
}
