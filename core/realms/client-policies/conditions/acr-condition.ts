import type { ClientPolicyCondition } from '../condition.js';

/** Applies to logins that request an authentication level, by the name of the level. */
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
