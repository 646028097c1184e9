const TEXT = { type: ['string', 'null'], maxLength: 255 };

/** Keycloak's ComponentRepresentation. */
export const COMPONENT_SCHEMA = {
  type: 'object',
  properties: {
    id: TEXT,
    name: TEXT,
    providerId: TEXT,
    providerType: TEXT,
    parentId: TEXT,
    subType: TEXT,
    config: {
      type: ['object', 'null'],
      additionalProperties: { type: ['array', 'null'], items: { type: ['string', 'null'] } },
    },
  },
};

export type ConfigInput = Readonly<Record<string, readonly (string | null)[] | null>>;

/** A value that is valid for `COMPONENT_SCHEMA`. */
export interface ComponentInput {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly providerId?: string | null;
  readonly providerType?: string | null;
  readonly parentId?: string | null;
  readonly subType?: string | null;
  readonly config?: ConfigInput | null;
}
