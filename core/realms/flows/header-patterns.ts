/** Keycloak's step that reads the headers of a request. */
export const CONDITIONAL_OTP = 'auth-conditional-otp-form';
/** Its settings that contain patterns. */
export const HEADER_PATTERNS = ['noOtpRequiredForHeaderPattern', 'forceOtpForHeaderPattern'] as const;

/** Returns the pattern that is matched with `name: value`. Case is ignored, and a dot matches any character. */
export function headerPattern(pattern: string): string {
  return `(?is)${pattern}`;
}
