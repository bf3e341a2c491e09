// expect: ok
within ;
encapsulated package Mechanics "Library in the style of the standard one"
  import Modelica.Units.SI;
  import Modelica.Math.{sin, cos};
  import Modelica.Constants.*;
  import C = Modelica.Constants "short" annotation(Dialog(tab = "x"));

  connector Flange_a "1-dim. rotational flange (filled square icon)"
    SI.Angle phi "Absolute rotation angle of flange";
    flow SI.Torque tau "Cut torque in the flange";
    annotation (
      defaultComponentName="flange_a",
      Documentation(info="<html>
<p>
This is a connector with an \"icon\" &mdash; ümläute too.
</p>
</html>"),
      Icon(coordinateSystem(preserveAspectRatio=true, extent={{-100,-100},{100,100}}),
        graphics={Ellipse(
            extent={{-100,100},{100,-100}},
            lineColor={0,0,0},
            fillColor={95,95,95},
            fillPattern=FillPattern.Solid), Text(
            extent={{-150,-110},{150,-150}}, textString="%name")}),
      Diagram(graphics={Line(points={{-90,0},{-60,0},{-45,-10},{-35,10}})}));
  end Flange_a;

  partial model PartialCompliant
    extends Interfaces.TwoFlanges annotation(IconMap(primitivesVisible=false));
    SI.Angle phi_rel(start=0, stateSelect=StateSelect.prefer, displayUnit = "deg")
      "Relative rotation angle (= flange_b.phi - flange_a.phi)";
    SI.Torque tau;
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    flange_b.tau = tau;
    flange_a.tau = -tau;
    annotation (Documentation(info="<html></html>"));
  end PartialCompliant;

  model Spring "Linear 1D rotational spring"
    extends PartialCompliant(phi_rel(start = 0.5, each fixed = true), final useHeat=false);
    parameter SI.RotationalSpringConstant c(final min=0, start=1.0e5)
      "Spring constant" annotation(Dialog(group="Stiffness", enable=not useTable),
      Evaluate=true, HideResult=true);
    final parameter SI.Angle phi_rel0=0 "Unstretched spring angle";
    Modelica.Blocks.Interfaces.RealInput u if useInput "conditional"
      annotation (Placement(transformation(extent={{-140,-20},{-100,20}}, rotation=270,
      origin={0,-110}), iconTransformation(extent={{-140,-20},{-100,20}})));
  protected
    parameter Boolean useTable = false annotation(choices(checkBox=true));
  public
    parameter Boolean useInput = true;
  equation
    tau = c*(phi_rel - phi_rel0);
    connect(a.flange, b.flange) annotation (Line(points={{-50,0},{50,0}}, color={0,0,127}));
    annotation (smoothOrder(normallyConstant=start, normallyConstant=stop) = 1);
  end Spring;
  annotation (version="4.0.0", uses(Modelica(version="4.0.0")),
    __Dymola_Commands(file(ensureSimulated=true)="plot.mos" "Plot"));
end Mechanics;
