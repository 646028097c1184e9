/** A mapper of a client, a client scope or an identity provider. Its settings are texts. */
export interface Mapper {
  readonly id: string;
  readonly name: string;
  /** The ID of its type. */
  readonly kind: string;
  readonly config: Readonly<Record<string, string>>;
}

export type MapperRequest = Omit<Mapper, 'id'>;
