import type { ClientRegistrationRequest } from '@keyhost/spi';

type Config = ClientRegistrationRequest['config'];

/** The non-empty values of a setting. */
export function valuesOf(config: Config, name: string): readonly string[] {
  return (config[name] ?? []).filter((text) => text !== '');
}

/** True for a protection that is not set to `false`. */
export function isEnabled(config: Config, name: string): boolean {
  return valuesOf(config, name)[0]?.toLowerCase() !== 'false';
}
