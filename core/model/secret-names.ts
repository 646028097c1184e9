const SECRET_NAME =
  /(secret|password|passphrase|private[_.]?key|api[_.]?key)s?$|credential$|^(secret\.key|client\.secret\.rotated|registrationAccessToken)$/i;

/** True for the name of a member that holds a secret where nothing else says what it is: `clientSecret`, `bindCredential`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
