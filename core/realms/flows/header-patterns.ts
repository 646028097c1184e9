/** Keycloak's step that looks at the headers of a request. */
export const CONDITIONAL_OTP = 'auth-conditional-otp-form';
/** Its settings that are patterns. */
export const HEADER_PATTERNS = ['noOtpRequiredForHeaderPattern', 'forceOtpForHeaderPattern'] as const;

/** The pattern as it is matched with `name: value`: in upper and lower case, and a dot is any character. */
export function headerPattern(pattern: string): string {
  return `(?is)${pattern}`;
}
