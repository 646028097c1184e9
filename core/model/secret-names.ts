const SECRET_NAME =
  /(secret|password|passphrase|(private|secret|access|api)[_.]?key(\.?pem)?)s?$|credential$|(^|[_.]|api|auth|bearer|registrationAccess)token$|^client\.secret\.rotated$/i;

/** True for the name of a member that holds a secret where nothing else says what it is: `clientSecret`, `bindCredential`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
