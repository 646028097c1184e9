import type { ClientPolicyCondition } from '../condition.js';

/** Logins that ask for a level of authentication, by the name that the request has for it. */
export const acrCondition: ClientPolicyCondition = {
  id: 'acr-condition',
  helpText: 'Applies to logins that request this level of authentication.',
  properties: [
    {
      name: 'acr-property',
      label: 'ACR',
      helpText: 'Requested value of acr, by acr_values, claims, or the default of the client.',
      type: 'String',
    },
  ],
  request({ 'acr-property': acr }, { event, levels = [] }) {
    if (event !== 'AUTHORIZATION_REQUEST') return undefined;
    return typeof acr === 'string' && levels.includes(acr);
  },
};
