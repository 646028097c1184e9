import { HostError } from '@keyhost/spi';

/** Why a JWT was rejected. `verifyJwt` throws the first five codes, `checkTimes` the others and `claims`. */
export type TokenErrorCode =
  | 'malformed'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'claims'
  | 'expired'
  | 'not_yet_valid'
  | 'issued_in_future';

/** Thrown if a JWT is rejected. `status` is 401; `message` contains no part of the token and may be displayed. */
export class TokenError extends HostError {
  override readonly name = 'TokenError';
  declare readonly code: TokenErrorCode;

  constructor(code: TokenErrorCode, message: string) {
    super(code, message, { status: 401 });
  }
}
