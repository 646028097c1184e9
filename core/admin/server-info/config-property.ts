/** Keycloak's ConfigPropertyRepresentation: one field of a form in its admin console. */
export interface ConfigProperty {
  readonly name: string;
  readonly label: string;
  readonly helpText: string;
  readonly type:
    | 'String'
    | 'boolean'
    | 'Integer'
    | 'List'
    | 'MultivaluedList'
    | 'MultivaluedString'
    | 'IdentityProviderMultiList'
    | 'Map'
    | 'Role'
    | 'ClientList'
    | 'Text'
    | 'File'
    | 'UserProfileAttributeList';
  readonly defaultValue?: unknown;
  readonly options?: readonly string[];
  readonly secret: boolean;
  readonly required: boolean;
  readonly readOnly: boolean;
}

/** Creates a field. Absent members have Keycloak's defaults. */
export function createField(
  name: string,
  type: ConfigProperty['type'],
  label: string,
  members: Partial<ConfigProperty> = {},
): ConfigProperty {
  return { name, label, helpText: '', type, secret: false, required: false, readOnly: false, ...members };
}
