import { type ClientPolicyCondition, NEGATIVE_LOGIC, textList } from '../condition.js';

/**
 * Applies to requests with certain client scopes: default scopes of the client, optional scopes that it requests, or
 * both.
 */
export const clientScopes: ClientPolicyCondition = {
  id: 'client-scopes',
  helpText: 'Applies to requests with one of these client scopes.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: 'scopes',
      label: 'client-scopes-condition.label',
      helpText: 'client-scopes-condition.tooltip',
      type: 'MultivaluedString',
      defaultValue: 'offline_access',
    },
    {
      name: 'type',
      label: 'Scope Type',
      type: 'List',
      defaultValue: 'Optional',
      options: ['Default', 'Optional', 'Any'],
      helpText: 'Default: default scopes of the client. Optional: optional scopes that it requests. Any: both.',
    },
  ],
  request(config, { client, scope }) {
    const configuredScopes = textList(config, 'scopes');
    const requestedScopes = new Set((scope ?? '').split(' '));
    const { type = 'Optional' } = config;
    const isDefault = client.defaultScopes.some(({ name }) => configuredScopes.includes(name));
    const isRequested = client.optionalScopes.some(
      ({ name }) => configuredScopes.includes(name) && requestedScopes.has(name),
    );
    return (type !== 'Optional' && isDefault) || (type !== 'Default' && isRequested);
  },
};
