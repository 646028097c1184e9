const en = {
  /** Completes the column “Enabled”, by SPI. */
  places: {
    authenticator: 'in a flow',
    'form-action': 'in a registration flow',
    'protocol-mapper': 'as a mapper',
    'client-authenticator': 'at a client',
    'client-policy-condition': 'in a client policy',
    'client-policy-executor': 'in a client profile',
    'client-registration-policy': 'as a registration policy',
    'password-policy': 'in the password policy',
    'password-hashing': 'in the password policy',
    theme: 'as the login theme',
    validator: 'in the user profile',
    keys: 'as a key',
  },
};

const de: typeof en = {
  places: {
    authenticator: 'in einem Ablauf',
    'form-action': 'in einem Registrierungsablauf',
    'protocol-mapper': 'als Mapper',
    'client-authenticator': 'bei einem Client',
    'client-policy-condition': 'in einer Client-Richtlinie',
    'client-policy-executor': 'in einem Client-Profil',
    'client-registration-policy': 'als Registrierungsrichtlinie',
    'password-policy': 'in der Passwortrichtlinie',
    'password-hashing': 'in der Passwortrichtlinie',
    theme: 'als Login-Theme',
    validator: 'im Benutzerprofil',
    keys: 'als Schlüssel',
  },
};

export const texts = { en, de };

/** The SPIs whose providers are not enabled with a switch. */
export type PlacedSpi = keyof typeof en.places;

export function isPlaced(spi: string): spi is PlacedSpi {
  return Object.hasOwn(en.places, spi);
}
