/** The tag of operations on the action tokens of a realm. */
export const ACTION_TOKENS_TAG = 'Action tokens';
