import { type ClientPolicyCondition, NEGATIVE_LOGIC, texts } from '../condition.js';

/** Requests of clients with certain scopes: those that they have by default, those that they ask for, or both. */
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
    const configuredScopes = texts(config, 'scopes');
    const requestedScopes = new Set((scope ?? '').split(' '));
    const { type = 'Optional' } = config;
    const isDefault = client.defaultScopes.some(({ name }) => configuredScopes.includes(name));
    const isAsked = client.optionalScopes.some(
      ({ name }) => configuredScopes.includes(name) && requestedScopes.has(name),
    );
    return (type !== 'Optional' && isDefault) || (type !== 'Default' && isAsked);
  },
};
