' Excel takes descriptions for a workbook that is no add-in at that moment, and only when it has come up. A first try
' that fails is made again when another workbook comes to the front.
Public Sub DescribeFunctions()
    Dim Drawing As Boolean, Events As Boolean
    If Described Or Tries > 4 Then Exit Sub
    Tries = Tries + 1
    Drawing = Application.ScreenUpdating
    Events = Application.EnableEvents
    On Error GoTo Failed
    Application.ScreenUpdating = False
    Application.EnableEvents = False ' the add-in itself comes to the front for a moment
    ThisWorkbook.IsAddin = False
    DescribeAll
    Described = True
Failed: ' functions work without their help
    ThisWorkbook.IsAddin = True
    ThisWorkbook.Saved = True
    Application.EnableEvents = Events
    Application.ScreenUpdating = Drawing
End Sub

Private Sub Describe(ByVal Worker As String, ByVal Sentence As String, ByVal Arguments As Variant)
    Application.MacroOptions Macro:="'" & ThisWorkbook.Name & "'!" & Worker, Description:=Sentence, _
        Category:="{category}", ArgumentDescriptions:=Arguments
End Sub
