import {
  ClientRegistrationPolicy,
  type ClientRegistrationPolicyProvider,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import { isOn, texts } from './config.js';
import { clientUriMistake } from './trusted-client-uris.js';
import { isTrustedSender } from './trusted-sender.js';

const HOSTS = 'trusted-hosts';
const SENDER = 'host-sending-registration-request-must-match';
const URIS = 'client-uris-must-match';

function mustMatch(name: string) {
  return { type: 'boolean', title: `${name}.label`, description: `${name}.tooltip`, default: true } as const;
}

/**
 * Limits the senders of registrations and the URLs of clients to hosts, by address or name, and domains
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
      [SENDER]: mustMatch(SENDER),
      [URIS]: mustMatch(URIS),
    },
  },
  open: () => ({
    create: () => {
      const sender: Judge = async ({ config, ip }) =>
        !isOn(config, SENDER) || (await isTrustedSender(ip, texts(config, HOSTS)))
          ? undefined
          : { refuse: 'Host not trusted.' };
      const both: Judge = async (request) => {
        const refused = await sender(request);
        if (refused !== undefined || !isOn(request.config, URIS)) return refused;
        const mistake = clientUriMistake(request.client, texts(request.config, HOSTS));
        return mistake === undefined ? undefined : { refuse: mistake };
      };
      return {
        beforeRegister: both,
        beforeUpdate: both,
        beforeView: sender,
        beforeDelete: sender,
        async checkConfig({ config }) {
          if (isOn(config, SENDER) || isOn(config, URIS)) return undefined;
          return 'At least one of hosts verification or client URIs validation must be enabled';
        },
      };
    },
  }),
});

type Judge = ClientRegistrationPolicyProvider['beforeRegister'];
