import type { ClientPolicyExecutor } from '../executor.js';
import { refusedByPolicy } from '../refuse.js';

/** The server notifies applications of a logout, not a frame in the browser, which may fail to load. */
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
    throw refusedByPolicy('invalid_registration', 'Front-channel logout is not allowed for this client');
  },
};
