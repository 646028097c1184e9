const en = {
  links: 'Active links',
  noLinks: 'No active links. The realm tracks only the types that its actionTokenPolicy lists.',
  linkType: 'Type',
  client: 'Client',
  issued: 'Issued',
  expires: 'Expires',
  revoke: 'Revoke',
  revokeLink: (type: string) => `Revoke link ${type}`,
  revoked: (type: string) => `Link ${type} revoked.`,
  revokeAll: 'Revoke all links',
  revokeAllOf: (name: string) => `Revoke all links of ${name}?`,
  revokeAllLead: 'This includes links of every type, also those not in this list.',
  revokedAll: 'All links of the user are revoked.',
};

const de: typeof en = {
  links: 'Aktive Links',
  noLinks: 'Keine aktiven Links. Der Realm erfasst nur die Arten, die seine actionTokenPolicy nennt.',
  linkType: 'Art',
  client: 'Client',
  issued: 'Ausgestellt',
  expires: 'Läuft ab',
  revoke: 'Widerrufen',
  revokeLink: (type) => `Link ${type} widerrufen`,
  revoked: (type) => `Link ${type} widerrufen.`,
  revokeAll: 'Alle Links widerrufen',
  revokeAllOf: (name) => `Alle Links von ${name} widerrufen?`,
  revokeAllLead: 'Das umfasst Links jeder Art, auch solche, die nicht in dieser Liste stehen.',
  revokedAll: 'Alle Links des Benutzers sind widerrufen.',
};

export const texts = { en, de };
