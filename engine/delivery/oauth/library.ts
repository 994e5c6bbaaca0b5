// A file of its own in the build, loaded where a connection is made or renewed.
export {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  initiateDeviceAuthorization,
  None,
  pollDeviceAuthorizationGrant,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client'
