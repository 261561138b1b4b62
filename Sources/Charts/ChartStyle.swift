/// The looks of every chart: colours that colour-blind readers tell apart (after Okabe and Ito, *Color Universal
/// Design*, 2008), each in a light and a dark form with a contrast of at least 3:1 to the ground.
///
/// Nothing is told by colour alone: forecasts are dashed, missing days hatched, typed days dotted.
package enum ChartStyle {
  /// The style sheet, for a page or for a file of its own.
  package static let css = """
    :root,.chart{color-scheme:light dark;--ground:#ffffff;--ink:#1b1b1b;--quiet:#595959;--grid:#dddddd;\
    --edge:#8a8a8a;--blue:#0063a0;--red:#b84500;--green:#00734f;--band:#cfe2f1;\
    --q0:#f1f6fa;--q1:#c9deee;--q2:#93bfde;--q3:#5b9bc8;--q4:#2b76ab;--q5:#0f4f80;--q6:#06305a}
    @media (prefers-color-scheme:dark){:root,.chart{--ground:#16181b;--ink:#ececec;--quiet:#ababab;--grid:#33373c;\
    --edge:#7d838a;--blue:#6db6e8;--red:#f08a4b;--green:#4cc39a;--band:#233c50;\
    --q0:#1c252d;--q1:#1f3a50;--q2:#285a7e;--q3:#357fae;--q4:#5aa3d0;--q5:#95c9e8;--q6:#d2eafa}}
    @media print{:root,.chart{color-scheme:light;--ground:#ffffff;--ink:#000000;--quiet:#444444;--grid:#cccccc;\
    --edge:#666666;--blue:#00507f;--red:#9c3a00;--green:#005c40;--band:#dbe8f2;\
    --q0:#f1f6fa;--q1:#c9deee;--q2:#93bfde;--q3:#5b9bc8;--q4:#2b76ab;--q5:#0f4f80;--q6:#06305a}}
    .chart{font:11px system-ui,Helvetica,Arial,sans-serif;fill:var(--ink)}
    .chart .ground{fill:var(--ground)}
    .chart text.quiet{fill:var(--quiet)}.chart text.strong{font-weight:600}
    .chart line,.chart polyline{fill:none;stroke:var(--edge);stroke-linejoin:round;stroke-linecap:round}
    .chart .grid{stroke:var(--grid)}.chart .axis{stroke:var(--edge)}
    .chart .mark{stroke:var(--ink);stroke-dasharray:2 3}
    .chart .blue{stroke:var(--blue);stroke-width:2}.chart .red{stroke:var(--red);stroke-width:2}
    .chart .green{stroke:var(--green);stroke-width:2}
    .chart .thin{stroke-width:1}.chart .dashed{stroke-dasharray:5 3}
    .chart .band{fill:var(--band);stroke:none}
    .chart circle,.chart .dot{stroke:none;fill:var(--ink)}
    .chart circle.blue{fill:var(--blue);stroke:none}.chart circle.red{fill:var(--red);stroke:none}
    .chart circle.green{fill:var(--green);stroke:none}
    .chart circle.hollow{fill:var(--ground);stroke:var(--ink);stroke-width:1.5}
    .chart circle.faint{fill:var(--edge)}
    .chart rect.bar{fill:var(--blue)}.chart rect.bar.down{fill:var(--red)}
    .chart rect.cell{stroke:var(--edge);stroke-width:.5}
    .chart rect.q0{fill:var(--q0)}.chart rect.q1{fill:var(--q1)}.chart rect.q2{fill:var(--q2)}\
    .chart rect.q3{fill:var(--q3)}.chart rect.q4{fill:var(--q4)}.chart rect.q5{fill:var(--q5)}.chart rect.q6{fill:var(--q6)}
    .chart rect.missing{fill:none;stroke:var(--edge);stroke-dasharray:1.5 1.5}
    .chart rect.today{fill:none;stroke:var(--red);stroke-width:2}
    .chart .typed{fill:var(--red)}.chart .hatch{stroke:var(--edge);stroke-width:.7}
    """
}
