import { isIP } from 'node:net';
import { type ClientPolicyCondition, NEGATIVE_LOGIC, textList } from '../condition.js';

const HOSTS = 'trusted-hosts';
const LOCAL = ['127.0.0.1', '::1'];

/**
 * Applies to changes that come from certain IP addresses. Keycloak also resolves host names by DNS. Here it does not,
 * because a policy would depend on the DNS records of others, and each change of a client would wait for them.
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
  findMistake(config) {
    const name = textList(config, HOSTS).find((host) => host !== 'localhost' && isIP(host) === 0);
    return name === undefined
      ? undefined
      : `${HOSTS} must be IP addresses or localhost: Keyhost does not resolve ${name}`;
  },
  change: (config, { updater: { ip } }) =>
    textList(config, HOSTS).some((host) => (host === 'localhost' ? LOCAL.includes(ip) : host === ip)),
};
