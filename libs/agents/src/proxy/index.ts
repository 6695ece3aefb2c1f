export { openProxy } from './open-proxy.js';
export type {
  Admission,
  CallEnd,
  Proxy,
  ProxyLimits,
  ProxyOptions,
  ProxyRun,
  ProxyTally,
  Upstream,
  Wait,
  WireName,
} from './proxy.port.js';
