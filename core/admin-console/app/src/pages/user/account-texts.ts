const en = {
  caption: 'Linked accounts',
  provider: 'Identity provider',
  account: 'Account',
  accountId: 'Account ID',
  empty: 'No linked accounts. An account is linked when the user signs in with an identity provider.',
  unlink: 'Unlink',
  unlinkOne: (provider: string) => `Unlink account at ${provider}`,
  unlinkOf: (provider: string, user: string) => `Unlink the account of ${user} at ${provider}?`,
  unlinkLead: 'The user can no longer sign in with this account. Check that the user has another way to sign in.',
  unlinked: (provider: string) => `Account at ${provider} unlinked.`,
};

const de: typeof en = {
  caption: 'Verknüpfte Konten',
  provider: 'Identity-Provider',
  account: 'Konto',
  accountId: 'Konto-ID',
  empty:
    'Keine verknüpften Konten. Ein Konto wird verknüpft, wenn sich der Benutzer mit einem Identity-Provider anmeldet.',
  unlink: 'Trennen',
  unlinkOne: (provider) => `Konto bei ${provider} trennen`,
  unlinkOf: (provider, user) => `Konto von ${user} bei ${provider} trennen?`,
  unlinkLead:
    'Der Benutzer kann sich mit diesem Konto nicht mehr anmelden. Prüfe, ob er sich auf andere Weise anmelden kann.',
  unlinked: (provider) => `Konto bei ${provider} getrennt.`,
};

export const texts = { en, de };
