import { setImmediate as turn } from 'node:timers/promises';
import { Authenticator, type ConditionContext, type ProviderDefinition, provide } from '@keyhost/spi';
import { Patterns } from '../../model/patterns.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { attributeValues } from '../../users/profile/attribute-values.js';
import type { Users } from '../../users/users.js';
import { userOfCondition } from './user-of-condition.js';

const flagSetting = (title: string, description: string) =>
  ({ type: 'boolean', title, description, default: false }) as const;

/** Keycloak's ConditionalUserAttributeValue. It is not met while the login has no user, with or without `not`. */
export function userAttribute({ users }: { users: Users }): ProviderDefinition {
  return provide(Authenticator, {
    id: 'conditional-user-attribute',
    describe: {
      category: 'condition',
      displayName: 'Condition - user attribute',
      helpText: 'Flow is executed only if the user attribute exists and has the expected value',
    },
    settings: {
      type: 'object',
      properties: {
        attribute_name: { type: 'string', title: 'Attribute name', description: 'Name of the attribute.' },
        attribute_expected_value: {
          type: 'string',
          title: 'Expected attribute value',
          description: 'One value of the attribute must be this value.',
        },
        include_group_attributes: flagSetting(
          'Include group attributes',
          'Also checks the attributes of the groups of the user.',
        ),
        not: flagSetting('Negate output', 'The condition is met if the user does not have the value.'),
        regex: flagSetting('Regex', 'The expected value is a regular expression.'),
      },
    },
    open: () => ({
      create: ({ compiledRealm: realm }: HostSession) => ({
        async isMet(context) {
          const { config } = context;
          // A flow may have many such conditions: yield to other requests in between.
          if (config.regex === 'true') await turn();
          const user = await userOfCondition(users, realm, context);
          return user !== undefined && hasValue(realm, user, config) !== (config.not === 'true');
        },
      }),
    }),
  });
}

function hasValue(realm: Realm, user: User, config: ConditionContext['config']): boolean {
  const { attribute_name: name = '', attribute_expected_value: expected = '' } = config;
  const valuesOfGroups =
    config.include_group_attributes === 'true'
      ? user.groups(realm).flatMap((path) => [...groupValues(realm, path, name)])
      : [];
  const values = [...attributeValues(user.view)(name), ...valuesOfGroups];
  const patterns = config.regex === 'true' ? new Patterns(realm.name) : undefined;
  return values.some((value) => patterns?.matches(expected, value) ?? value === expected);
}

/** The attribute's values of the group at this path and of its ancestors. */
function* groupValues(realm: Realm, groupPath: string, name: string): Generator<string> {
  for (let group = realm.groups.get(groupPath); group !== undefined; group = group.parent) {
    if (Object.hasOwn(group.attributes, name)) yield* group.attributes[name] ?? [];
  }
}
