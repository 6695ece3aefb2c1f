export { openProxy } from './open-proxy.js';
export type {
  Admission,
  CallEnd,
  CallFailure,
  Proxy,
  ProxyLimits,
  ProxyOptions,
  ProxyRun,
  ProxyTally,
  Upstream,
  Wait,
  WireName,
} from './proxy.port.js';
