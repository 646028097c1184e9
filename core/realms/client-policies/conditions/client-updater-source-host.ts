import { isIP } from 'node:net';
import { type ClientPolicyCondition, NEGATIVE_LOGIC, texts } from '../condition.js';

const HOSTS = 'trusted-hosts';
const LOCAL = ['127.0.0.1', '::1'];

/**
 * Changes that come from certain addresses. Keycloak also resolves names by DNS. Then a policy would depend on the
 * records of others, and each change of a client would wait for it.
 */
export const clientUpdaterSourceHost: ClientPolicyCondition = {
  id: 'client-updater-source-host',
  helpText: 'Applies to clients that a request from one of these IP addresses creates or updates.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: HOSTS,
      label: 'client-updater-trusted-hosts.label',
      helpText: 'client-updater-trusted-hosts.tooltip',
      type: 'MultivaluedString',
    },
  ],
  mistake(config) {
    const name = texts(config, HOSTS).find((host) => host !== 'localhost' && isIP(host) === 0);
    return name === undefined
      ? undefined
      : `${HOSTS} must be IP addresses or localhost: Keyhost does not resolve ${name}`;
  },
  change: (config, { updater: { ip } }) =>
    texts(config, HOSTS).some((host) => (host === 'localhost' ? LOCAL.includes(ip) : host === ip)),
};
