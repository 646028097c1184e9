import { HostError } from '@keyhost/spi';

/** The reason why a JWT was rejected. The first five come from `verifyJwt`, the others from `checkTimes`. */
export type TokenErrorCode =
  | 'malformed'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'claims'
  | 'expired'
  | 'not_yet_valid'
  | 'issued_in_future';

/** A rejected JWT. `status` is 401; `message` contains no part of the token and may be shown. */
export class TokenError extends HostError {
  override readonly name = 'TokenError';
  declare readonly code: TokenErrorCode;

  constructor(code: TokenErrorCode, message: string) {
    super(code, message, { status: 401 });
  }
}
