type Config = Readonly<Record<string, string>>;

const DOMAINS = 'home.idp.discovery.domains';
const SUBDOMAINS = 'home.idp.discovery.matchSubdomains';

/** The domain of an email address, in lower case; undefined if it is not an address. */
export function domainOf(address: string | undefined): string | undefined {
  return /^[^\s@]+@([^\s@]+)$/.exec(address ?? '')?.[1]?.toLowerCase();
}

/**
 * True if the identity provider of this configuration is responsible for the domain. `domains` are separated by `##`.
 * Those of an attribute, such as `home.idp.discovery.domains.upn`, replace the general ones.
 */
export function isHomeOf(config: Config, domain: string, attribute: string): boolean {
  const domains = (settingOf(config, DOMAINS, attribute) ?? '').split('##').map((name) => name.trim().toLowerCase());
  const withSubdomains = settingOf(config, SUBDOMAINS, attribute)?.toLowerCase() === 'true';
  return domains.some((name) => name !== '' && (domain === name || (withSubdomains && domain.endsWith(`.${name}`))));
}

function settingOf(config: Config, key: string, attribute: string): string | undefined {
  const wanted = `${key}.${attribute}`.toLowerCase();
  return config[Object.keys(config).find((name) => name.toLowerCase() === wanted) ?? key];
}
