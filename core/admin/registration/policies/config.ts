import type { ClientRegistrationRequest } from '@keyhost/spi';

type Config = ClientRegistrationRequest['config'];

/** The non-empty values of a setting. */
export function texts(config: Config, name: string): readonly string[] {
  return (config[name] ?? []).filter((text) => text !== '');
}

/** A protection that is enabled unless it is set to `false`. */
export function isOn(config: Config, name: string): boolean {
  return texts(config, name)[0]?.toLowerCase() !== 'false';
}
