export { EnginePanel } from "./Panel";
export { ReportView } from "./ReportView";
