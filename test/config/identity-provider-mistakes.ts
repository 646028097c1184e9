import type { Mistake } from './mistake.js';

const URLS = '"authorizationUrl": "https://p.example.test/auth", "tokenUrl": "https://p.example.test/token"';
const provider = (config: string, members = '') =>
  `"identityProviders": [{ "alias": "p", "providerId": "oidc", ${members}"config": { "clientId": "c", ${URLS}${config} } }]`;

/** Identity providers and their mappers. */
export const IDENTITY_PROVIDER_MISTAKES: readonly Mistake[] = [
  {
    mistake: 'an identity provider without an address',
    text: `"identityProviders": [{ "alias": "p", "providerId": "oidc", ▶"config": { "clientId": "c", "authorizationUrl": "https://p.example.test/auth" } }]`,
    message: 'identityProviders[0].config: "tokenUrl" is missing',
  },
  {
    mistake: 'an address of an identity provider that is none',
    text: provider(', ▶"userInfoUrl": "/userinfo"'),
    message: 'identityProviders[0].config.userInfoUrl: must be an http or https URL',
  },
  {
    mistake: 'a misspelt key of an identity provider',
    text: provider(', ▶"isuer": "https://p.example.test"'),
    message: 'identityProviders[0].config.isuer: unknown key "isuer" (did you mean "issuer"?)',
  },
  {
    mistake: 'a way to authenticate at an identity provider that there is not',
    text: provider(', ▶"clientAuthMethod": "client_secret_pots", "clientSecret": "s"'),
    message:
      'identityProviders[0].config.clientAuthMethod: must be client_secret_post, client_secret_basic, client_secret_basic_unencoded, client_secret_jwt, private_key_jwt (did you mean "client_secret_post"?)',
  },
  {
    mistake: 'an identity provider whose signatures cannot be checked',
    text: provider(', ▶"validateSignature": "true"'),
    message:
      'identityProviders[0].config.validateSignature: requires "useJwksUrl" with "jwksUrl", or "publicKeySignatureVerifier"',
  },
  {
    mistake: 'a flow of an identity provider that there is not',
    text: provider('', '▶"firstBrokerLoginFlowAlias": "first broker logn", '),
    message:
      'identityProviders[0].firstBrokerLoginFlowAlias: there is no authentication flow "first broker logn" (did you mean "first broker login"?)',
  },
  {
    mistake: 'a misspelt mapper of an identity provider',
    text: `${provider('')}, "identityProviderMappers": [{ "name": "m", "identityProviderAlias": "p", ▶"identityProviderMapper": "oidc-role-idp-maper" }]`,
    message:
      'identityProviderMappers[0].identityProviderMapper: there is no mapper "oidc-role-idp-maper" (did you mean "oidc-role-idp-mapper"?)',
  },
];
