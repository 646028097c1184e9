import { HostError } from '@keyhost/spi';

/** Why a JWT was refused. The first five come from `verifyJwt`, the others from `checkTimes`. */
export type TokenErrorCode =
  | 'malformed'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'claims'
  | 'expired'
  | 'not_yet_valid'
  | 'issued_in_future';

/** A refused JWT. `status` is 401; `message` holds nothing of the token and may be shown. */
export class TokenError extends HostError {
  override readonly name = 'TokenError';
  declare readonly code: TokenErrorCode;

  constructor(code: TokenErrorCode, message: string) {
    super(code, message, { status: 401 });
  }
}
