import { badRequest } from '../admin.js';

/** A type of identity provider, by its `providerId`. */
export interface ProviderType {
  readonly id: string;
  readonly name: string;
  readonly groupName: 'User-defined' | 'Social';
}

/** Types that users can sign in with. */
export const SUPPORTED_PROVIDER_TYPES: readonly ProviderType[] = [
  { groupName: 'User-defined', name: 'OpenID Connect v1.0', id: 'oidc' },
  { groupName: 'User-defined', name: 'Keycloak OpenID Connect', id: 'keycloak-oidc' },
];

/**
 * Keycloak's other types (of 26.7, and older ones in realm files). They are stored unchanged, but users cannot sign in
 * with them.
 */
const UNSUPPORTED_PROVIDER_TYPES: readonly ProviderType[] = [
  ...Object.entries({
    saml: 'SAML v2.0',
    oauth2: 'OAuth v2',
    kubernetes: 'Kubernetes',
    spiffe: 'SPIFFE',
    'jwt-authorization-grant': 'JWT Authorization Grant',
  }).map(([id, name]) => ({ groupName: 'User-defined' as const, name, id })),
  ...Object.entries({
    bitbucket: 'BitBucket',
    facebook: 'Facebook',
    github: 'GitHub',
    gitlab: 'GitLab',
    google: 'Google',
    instagram: 'Instagram',
    linkedin: 'LinkedIn',
    'linkedin-openid-connect': 'LinkedIn',
    microsoft: 'Microsoft',
    'openshift-v3': 'Openshift v3',
    'openshift-v4': 'Openshift v4',
    paypal: 'PayPal',
    stackoverflow: 'StackOverflow',
    twitter: 'Twitter',
  }).map(([id, name]) => ({ groupName: 'Social' as const, name, id })),
];

export function providerType(id: string | null | undefined): ProviderType | undefined {
  return [...SUPPORTED_PROVIDER_TYPES, ...UNSUPPORTED_PROVIDER_TYPES].find((type) => type.id === id);
}

/** Checks that the type is known. @throws AdminError 400, with Keycloak's text */
export function requireProviderType(id: string | null | undefined): string {
  const type = providerType(id);
  if (type === undefined) throw badRequest(`Invalid identity provider id [${id ?? null}]`);
  return type.id;
}
