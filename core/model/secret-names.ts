const SECRET_NAME =
  /(secret|password|passphrase|(private|secret|access|api)[_.]?key(\.?pem)?)s?$|credential$|(^|[_.]|api|auth|bearer|registrationAccess)token$|^client\.secret\.rotated$/i;

/**
 * True if a member of this name holds a secret, for members without a declaration: `clientSecret`, `bindCredential`.
 */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
