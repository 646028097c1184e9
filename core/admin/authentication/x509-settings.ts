import type { JsonSchema } from '@keyhost/spi';

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const SWITCH = { type: 'boolean' } as const;
const OFF = { ...SWITCH, default: false };
const ON = { ...SWITCH, default: true };

const SOURCES = [
  'Match SubjectDN using regular expression',
  "Subject's e-mail",
  "Subject's Alternative Name E-mail",
  "Subject's Alternative Name otherName (UPN)",
  "Subject's Common Name",
  'Match IssuerDN using regular expression',
  'Certificate Serial Number',
  'Certificate Serial Number and IssuerDN',
  'SHA-256 Thumbprint',
  'Full Certificate in PEM format',
];

/** Keycloak's settings of the authenticators for client certificates. */
export const X509_SETTINGS: JsonSchema = {
  type: 'object',
  properties: {
    'x509-cert-auth.mapping-source-selection': {
      ...TEXT,
      title: 'User Identity Source',
      enum: SOURCES,
      default: SOURCES[0],
    },
    'x509-cert-auth.canonical-dn-enabled': { ...OFF, title: 'Canonical DN representation' },
    'x509-cert-auth.serialnumber-hex-enabled': { ...OFF, title: 'Serial number in hex' },
    'x509-cert-auth.regular-expression': { ...TEXT, title: 'Pattern of the user identity', default: '(.*?)(?:$)' },
    'x509-cert-auth.mapper-selection': {
      ...TEXT,
      title: 'User mapping method',
      enum: ['Custom Attribute Mapper', 'Username or Email'],
      default: 'Custom Attribute Mapper',
    },
    'x509-cert-auth.mapper-selection.user-attribute-name': {
      ...TEXTS,
      title: 'User attribute',
      default: 'usercertificate',
    },
    'x509-cert-auth.timestamp-validation-enabled': { ...ON, title: 'Check certificate validity' },
    'x509-cert-auth.crl-checking-enabled': { ...SWITCH, title: 'CRL checking' },
    'x509-cert-auth.crldp-checking-enabled': { ...OFF, title: 'CRL distribution points' },
    'x509-cert-auth.crl-relative-path': { ...TEXTS, title: 'CRL path', default: 'crl.pem' },
    'x509-cert-auth-crl-abort-if-non-updated': { ...ON, title: 'Fail if the CRL is outdated' },
    'x509-cert-auth.ocsp-checking-enabled': { ...SWITCH, title: 'OCSP checking' },
    'x509-cert-auth.ocsp-fail-open': { ...OFF, title: 'OCSP fails open' },
    'x509-cert-auth.ocsp-responder-uri': { ...TEXT, title: 'OCSP responder URI' },
    'x509-cert-auth.ocsp-responder-certificate': { ...TEXT, title: 'OCSP responder certificate' },
    'x509-cert-auth.keyusage': { ...TEXT, title: 'Key usage' },
    'x509-cert-auth.extendedkeyusage': { ...TEXT, title: 'Extended key usage' },
    'x509-cert-auth.confirmation-page-disallowed': { ...SWITCH, title: 'Without confirmation page' },
    'x509-cert-auth.revalidate-certificate-enabled': { ...SWITCH, title: 'Revalidate the client certificate' },
    'x509-cert-auth.certificate-policy': { ...TEXT, title: 'Certificate policy' },
    'x509-cert-auth.certificate-policy-mode': {
      ...TEXT,
      title: 'Certificate policy mode',
      enum: ['All', 'Any'],
      default: 'All',
    },
  },
};
