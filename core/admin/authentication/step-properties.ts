/** Keycloak's ConfigPropertyRepresentation: one setting of a step, as the console shows it. */
interface StepProperty {
  readonly name: string;
  readonly label: string;
  readonly type: 'String' | 'boolean' | 'MultivaluedList';
  readonly helpText: string;
  readonly defaultValue?: string;
  readonly options?: readonly string[];
}

const text = (name: string, label: string, helpText: string, defaultValue?: string): StepProperty => ({
  ...{ name, label, type: 'String', helpText },
  ...(defaultValue === undefined ? {} : { defaultValue }),
});
const flag = (name: string, label: string, helpText: string): StepProperty => ({
  ...{ name, label, type: 'boolean', helpText, defaultValue: 'false' },
});

/** What the host's own steps and conditions take as configuration, by Keycloak's names. */
const PROPERTIES: Readonly<Record<string, readonly StepProperty[]>> = {
  'conditional-level-of-authentication': [
    text('loa-condition-level', 'Level of Authentication (LoA)', 'The level that this flow leads to: a whole number.'),
    text('loa-max-age', 'Max Age', 'Seconds for which a session keeps the level.', '36000'),
  ],
  'conditional-user-role': [
    text('condUserRole', 'User role', 'A realm role, or "client.role".'),
    flag('negate', 'Negate output', 'Met by users without the role.'),
  ],
  'conditional-user-attribute': [
    text('attribute_name', 'Attribute name', 'The attribute to look at.'),
    text('attribute_expected_value', 'Expected attribute value', 'The value that it must have among its values.'),
    flag('include_group_attributes', 'Include group attributes', 'Looks at the groups of the user too.'),
    flag('not', 'Negate output', 'Met by users without the value.'),
    flag('regex', 'Regex', 'The expected value is a regular expression.'),
  ],
  'conditional-credential': [
    {
      ...{ name: 'credentials', label: 'Credentials', type: 'MultivaluedList' },
      helpText: 'Types of credentials that the login used so far',
      options: ['none', 'password', 'otp', 'webauthn', 'webauthn-passwordless', 'recovery-authn-codes'],
    },
    flag('included', 'Included', 'On: one of them was used. Off: none of them was.'),
  ],
  'conditional-client-scope': [
    text('client_scope', 'Client scope name', 'The scope that the application must get.'),
    flag('negate', 'Negate output', 'Met by applications that do not get it.'),
  ],
  'deny-access-authenticator': [
    text('denyErrorMessage', 'Error message', 'A text, or the key of one.', 'access-denied'),
  ],
};

export function stepProperties(id: string): readonly StepProperty[] {
  return Object.hasOwn(PROPERTIES, id) ? (PROPERTIES[id] ?? []) : [];
}
