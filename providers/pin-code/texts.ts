/** Texts for admins, and of the credential type on the account page. */
export const MESSAGES = {
  en: {
    pinCode: 'PIN',
    pinCodeHelp: 'A number that you type after your password.',
    pinCodeForm: 'PIN Form',
    pinCodeFormHelp: 'Asks for the PIN of the user. Users without one choose it.',
    pinCodeSetup: 'Choose a PIN',
    pinCodeLength: 'Digits',
    pinCodeLengthHelp: 'How many digits a new PIN has.',
  },
  de: {
    pinCode: 'PIN',
    pinCodeHelp: 'Eine Zahl, die Sie nach dem Passwort eingeben.',
    pinCodeForm: 'PIN-Formular',
    pinCodeFormHelp: 'Fragt nach der PIN des Benutzers. Wer keine hat, wählt eine.',
    pinCodeSetup: 'PIN wählen',
    pinCodeLength: 'Ziffern',
    pinCodeLengthHelp: 'Wie viele Ziffern eine neue PIN hat.',
  },
};

/** Texts of the page that asks for the PIN. */
export const PIN = {
  title: { key: 'pinCodeTitle', texts: { en: 'Enter your PIN', de: 'Geben Sie Ihre PIN ein' } },
  label: { key: 'pinCodeLabel', texts: { en: 'PIN', de: 'PIN' } },
  wrong: { key: 'pinCodeWrong', texts: { en: 'This is not your PIN.', de: 'Das ist nicht Ihre PIN.' } },
};

/** Texts of the page on which a PIN is chosen. */
export const NEW_PIN = {
  title: { key: 'pinCodeSetupTitle', texts: { en: 'Choose a PIN', de: 'Wählen Sie eine PIN' } },
  text: (digits: number) => ({
    key: 'pinCodeSetupText',
    params: [String(digits)],
    texts: {
      en: 'It has {0} digits. You will be asked for it after your password.',
      de: 'Sie hat {0} Ziffern. Sie werden nach dem Passwort danach gefragt.',
    },
  }),
  repeated: { key: 'pinCodeRepeated', texts: { en: 'Repeat the PIN', de: 'PIN wiederholen' } },
  wrongLength: (digits: number) => ({
    key: 'pinCodeWrongLength',
    params: [String(digits)],
    texts: { en: 'A PIN has {0} digits.', de: 'Eine PIN hat {0} Ziffern.' },
  }),
  easy: {
    key: 'pinCodeEasy',
    texts: {
      en: 'This PIN is easy to guess. Choose another one.',
      de: 'Diese PIN ist leicht zu erraten. Wählen Sie eine andere.',
    },
  },
  differs: {
    key: 'pinCodeDiffers',
    texts: { en: 'The two PINs are not the same.', de: 'Die beiden PINs sind nicht gleich.' },
  },
};
