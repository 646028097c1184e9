import type { JsonSchema, ProviderFactory, Spi } from '@keyhost/spi';
export interface RegisteredProvider<D = unknown, P = unknown> {
  readonly spi: Spi<D, P>;
  readonly id: string;
  readonly plugin: { name: string; version: string; builtin: boolean };
  readonly declaration: D;
  readonly realmConfig?: JsonSchema;
  checkRealmConfig(
    value: unknown,
  ): { value: unknown } | { problems: { path: string; message: string; suggestion?: string }[] };
  readonly factory: ProviderFactory<P, unknown>;
}
export declare class ProviderRegistry {
  get<D, P>(kind: Spi<D, P>, id: string): RegisteredProvider<D, P>;
  find<D, P>(kind: Spi<D, P>, id: string): RegisteredProvider<D, P> | undefined;
  all<D, P>(kind: Spi<D, P>): readonly RegisteredProvider<D, P>[];
}
