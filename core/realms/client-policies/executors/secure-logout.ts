import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/** Rejects clients with front-channel logout, because its frames in the browser may fail to load. */
export const secureLogout: ClientPolicyExecutor = {
  id: 'secure-logout',
  helpText: 'Requires clients without front-channel logout.',
  properties: [
    {
      name: 'allow-front-channel-logout',
      label: 'Allow Front-Channel Logout',
      helpText: 'Allows clients with front-channel logout.',
      type: 'boolean',
      defaultValue: false,
    },
  ],
  change({ 'allow-front-channel-logout': isAllowed }, { client }) {
    const { frontchannelLogout, attributes } = client;
    const isFront = frontchannelLogout === true || (attributes?.['frontchannel.logout.url'] ?? '').trim() !== '';
    if (isAllowed === true || !isFront) return;
    throw policyRefusalError('invalid_registration', 'Front-channel logout is not allowed for this client');
  },
};
