import {
  ClientRegistrationPolicy,
  type ClientRegistrationPolicyProvider,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import { isEnabled, valuesOf } from './policy-config.js';
import { findUriProblem } from './trusted-client-uris.js';
import { isTrustedSender } from './trusted-sender.js';

const HOSTS = 'trusted-hosts';
const SENDER = 'host-sending-registration-request-must-match';
const URIS = 'client-uris-must-match';

function matchSetting(name: string) {
  return { type: 'boolean', title: `${name}.label`, description: `${name}.tooltip`, default: true } as const;
}

/**
 * Limits the senders of registrations and the URLs of clients to trusted hosts: addresses, names, and domains
 * (`*.example.org`).
 */
export const trustedHosts: ProviderDefinition = provide(ClientRegistrationPolicy, {
  id: 'trusted-hosts',
  describe: {
    displayName: 'Trusted Hosts',
    helpText: 'Hosts that can register clients, and hosts of the addresses of these clients.',
  },
  settings: {
    type: 'object',
    properties: {
      [HOSTS]: {
        type: 'array',
        items: { type: 'string' },
        title: 'trusted-hosts.label',
        description: 'trusted-hosts.tooltip',
      },
      [SENDER]: matchSetting(SENDER),
      [URIS]: matchSetting(URIS),
    },
  },
  open: () => ({
    create: () => {
      const checkSender: PolicyHook = async ({ config, ip }) =>
        !isEnabled(config, SENDER) || (await isTrustedSender(ip, valuesOf(config, HOSTS)))
          ? undefined
          : { refuse: 'Host not trusted.' };
      const checkSenderAndUris: PolicyHook = async (request) => {
        const refusal = await checkSender(request);
        if (refusal !== undefined || !isEnabled(request.config, URIS)) return refusal;
        const problem = findUriProblem(request.client, valuesOf(request.config, HOSTS));
        return problem === undefined ? undefined : { refuse: problem };
      };
      return {
        beforeRegister: checkSenderAndUris,
        beforeUpdate: checkSenderAndUris,
        beforeView: checkSender,
        beforeDelete: checkSender,
        async checkConfig({ config }) {
          if (isEnabled(config, SENDER) || isEnabled(config, URIS)) return undefined;
          return 'At least one of hosts verification or client URIs validation must be enabled';
        },
      };
    },
  }),
});

type PolicyHook = ClientRegistrationPolicyProvider['beforeRegister'];
