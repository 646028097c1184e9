import type { ClientRegistrationRequest } from '@keyhost/spi';

type Config = ClientRegistrationRequest['config'];

/** The values of a setting that are not empty. */
export function texts(config: Config, name: string): readonly string[] {
  return (config[name] ?? []).filter((text) => text !== '');
}

/** A switch that protects: on unless somebody has it off. */
export function isOn(config: Config, name: string): boolean {
  return texts(config, name)[0]?.toLowerCase() !== 'false';
}
